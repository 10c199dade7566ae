"""Names of files that were needed for a moment only, by kind, and the like names of files that belong there."""

_CODE = "{py,js,mjs,cjs,ts,tsx,jsx,sh,rb,go,php,pl,rs,java,c,cpp,sql,html,txt,json,csv,log,png,patch,diff}"
_NEAR = "{/,scripts/,script/,test/,tests/,tools/}"  # among the sources, debug and temp are also words of the trade

NAMES = {
    "temporary": (
        "*.{tmp,temp}",
        "tmp[-_0-9]*",
        f"{_NEAR}tmp.*",
        "*[-_.]tmp.*",
        f"{_NEAR}temp[-_]*.{_CODE}",
        f"{_NEAR}temp.{_CODE}",
        f"{_NEAR}temporary[-_.]*",
    ),
    "debug": (f"{_NEAR}debug[-_]*.{_CODE}", f"{_NEAR}debug.{_CODE}", f"{_NEAR}*[-_]debug.{_CODE}"),
    "scratch": ("scratch[-_.]*", "*[-_]scratch.*", "/scratch/", "throwaway[-_.]*", f"/playground.{_CODE}"),
    "backup": ("*.{orig,rej,bak,bkp,backup,old}", "*~", "*[_.]{backup,bak,orig}.*"),
    "log": ("*.log", "nohup.out", "{npm,yarn,pnpm}-debug.log*"),
    "editor": ("*.{swp,swo,swn}", ".#*", "#*#", ".DS_Store", "Thumbs.db", "desktop.ini"),
    "output": (
        "/test[-_]{output,results,result}*.{txt,log,json,xml}",
        "/{out,output,result,results,stdout,stderr}.{txt,log}",
        "/*[-_]output.{txt,log}",
        ".coverage",
        "/core.[0-9]*",
    ),
}
SPARED = (
    "**/{fixtures,fixture,testdata,golden,goldens,__snapshots__}/**",
    "test[-_]debug.*",
    "tmp_path*",
    "{db,database,pg,mysql,s3,cloud,system,data}[-_]backup.*",
    "{create,run,make,do,perform,restore,test,auto,full,daily,weekly,enable,schedule}[-_]backup.*",
)
