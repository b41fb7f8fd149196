import json,glob,sys,os
truth={}
for f in ("/tmp/s3/wider_python.jsonl","/tmp/s3/wider_go.jsonl"):
    for l in open(f'{f}'):
        c=json.loads(l); truth[(c['repo'].split('/')[-1],c['commit'][:10])]=c
tot={}
for p in sorted(sys.argv[1:]):
    n=os.path.basename(p)[:-5]; k=tuple(n.rsplit('-',1)); c=truth.get(k)
    if not c: continue
    r=json.load(open(p))
    for h in c['hunks']:
        m=[f for f in r['findings'] if f['file']==h['file'] and (f['old']['start'],f['old']['lines'],f['new']['start'],f['new']['lines'])==(h['old_start'],h['old_lines'],h['new_start'],h['new_lines'])]
        t=tot.setdefault(c['lang'],{})
        if not m: t['missing']=t.get('missing',0)+1; print('MISSING',n,h['file'],h['new_start']); continue
        f=m[0]; v=f['verdict']; tv=h['verdict']; red= tv=='RED' and h.get('red_class')!='broken-name' and c['whole_revert_verdict']!='GREEN'
        code = not h['same_semantics']
        if code: t['code']=t.get('code',0)+1
        def inc(x,show=True):
            t[x]=t.get(x,0)+1
            if show: print(x,n,h['file'],h['new_start'],'truth',tv,h.get('red_class'),'whole',c['whole_revert_verdict'],'assay',v,f['reason'],f['rung'],f.get('detail','')[:90])
        if v=='INCONCLUSIVE': inc('INC:'+f['reason'])
        elif tv not in('RED','GREEN'): inc('read',False)
        elif (v=='PROVEN' and red) or (v in('NOT_PROVEN','NOTHING_TO_PROVE') and tv=='GREEN'): inc('agree',False)
        elif v=='PROVEN' and h.get('red_class')=='broken-name' and f['rung']!='revert': inc('read',False)
        elif v=='PROVEN': inc('FALSE_PROVEN')
        elif v=='NOT_PROVEN': inc('FALSE_NOT_PROVEN?')
        elif h.get('red_class')=='broken-name': inc('agree',False)
        else: inc('FALSE_NOTHING')
print(tot)
