import sys, os, cProfile, pstats, time, tempfile, subprocess
sys.path.insert(0, ".")
from pathlib import Path
from bench.judged_again import *
folder=Path("scratch/j"); 
import shutil; shutil.rmtree(folder, ignore_errors=True); folder.mkdir()
answers = {f"q{n}": lie(n) if n % 7 == 0 else truth(n) for n in range(200)}
with fake_chat(dict.fromkeys(("ada","bob","cyd"), judging())) as chat:
    write_suite(folder, answers, [member(name, chat, concurrency=32) for name in ("ada","bob","cyd")])
    seconds(folder, "--out","base")
    t=time.process_time()
    subprocess.run([sys.executable,"-X","importtime","-m","raggate_action","run","raggate.json","--out","head","--baseline","base"],cwd=folder,stderr=open("scratch/imp.txt","w"),stdout=subprocess.DEVNULL)
    subprocess.run([sys.executable,"-m","cProfile","-o",str(Path("scratch/out.prof").resolve()),"-m","raggate_action","run","raggate.json","--out","head","--baseline","base"],cwd=folder,stdout=subprocess.DEVNULL)
p=pstats.Stats("scratch/out.prof"); p.sort_stats("cumulative").print_stats(70)
