/** The page, the card and its text. */
export const baseRules: string = `
*,::before,::after{box-sizing:border-box}
[hidden]{display:none!important}
html{
  font-family:var(--font);
  font-size:100%;
  line-height:1.5;
  background:var(--page);
  color:var(--text);
  -webkit-text-size-adjust:100%;
  text-size-adjust:100%
}
body{margin:0}
.page{
  display:flex;
  min-height:100vh;
  min-height:100svh;
  padding:clamp(1rem,6vmin,4rem) 1rem
}
.page>div{width:100%;max-width:25.5rem;margin:auto;min-width:0}
.page>.wide{max-width:42rem;margin-block:0 auto}
.card{
  padding:clamp(1.75rem,6vw,2.5rem);
  background:var(--card);
  border:1px solid var(--line);
  border-radius:var(--radius-card);
  box-shadow:0 1px 2px var(--shadow),0 1rem 2.5rem -1rem var(--shadow);
  overflow-wrap:anywhere
}
.logo-link{display:block;width:fit-content;max-width:100%}
.logo{display:block;max-width:100%;height:2.5rem;width:auto;margin:0 0 1.5rem;object-fit:contain}
h1{margin:0;font-size:1.5rem;line-height:1.25;font-weight:650;letter-spacing:-.0125em;text-wrap:balance;hyphens:auto;hyphenate-limit-chars:18 8 6}
:lang(ar) h1,:lang(fa) h1,:lang(ur) h1,:lang(hi) h1{letter-spacing:0}
:lang(ja) .card{word-break:auto-phrase}
:lang(ko) .card{word-break:keep-all}
p{margin:.5rem 0 0;text-wrap:pretty}
.lead{color:var(--muted)}
.lead+p:not([class]){margin-top:1.5rem}
.hint{color:var(--muted);font-size:.875rem}
ul:not([class]){margin:.75rem 0 0;padding-inline-start:1.25rem}
ul:not([class])>li+li{margin-top:.375rem}
.reference{
  margin-top:1.75rem;
  padding-top:1rem;
  border-top:1px solid var(--line);
  color:var(--muted);
  font-size:.8125rem
}
.link{
  color:var(--brand-text);
  font-weight:500;
  text-decoration:underline;
  text-underline-offset:.2em;
  text-decoration-thickness:1px;
  border-radius:.25rem
}
.link:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--brand-text);outline-offset:2px}
@media (max-width:30rem){
  html{background:var(--card)}
  .page{padding:0}
  .page>div{margin-block:clamp(0rem,6svh,4rem) auto}
  .card{border:0;border-radius:0;box-shadow:none;padding:2rem 1.25rem}
}
@media (max-width:30rem) and (max-height:50rem){
  .page>div{margin-block:0 auto}
}
@media print{
  html{background:none}
  .card{border:0;box-shadow:none}
}
`
