/** The page, the card and its text. */
export const baseRules: string = `
*,::before,::after{box-sizing:border-box}
html{
  font:100%/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif;
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
  padding:clamp(1rem,5vw,3rem) 1rem
}
.page>div{width:100%;max-width:26rem;margin:auto;min-width:0}
.card{
  padding:clamp(1.5rem,6vw,2.5rem);
  background:var(--card);
  border:1px solid var(--line);
  border-radius:1.25rem;
  box-shadow:0 1px 2px var(--shadow),0 12px 32px -8px var(--shadow);
  overflow-wrap:anywhere
}
.logo{display:block;max-width:100%;height:3rem;width:auto;max-height:3rem;margin:0 0 1.5rem;object-fit:contain}
h1{margin:0;font-size:1.625rem;line-height:1.2;font-weight:650;letter-spacing:-.015em;text-wrap:balance}
p{margin:.5rem 0 0;text-wrap:pretty}
.lead{color:var(--muted)}
.hint{color:var(--muted);font-size:.875rem}
.reference{
  margin-top:1.5rem;
  padding-top:1rem;
  border-top:1px solid var(--line);
  color:var(--muted);
  font-size:.8125rem
}
.link{color:var(--brand-text);font-weight:500;text-underline-offset:.2em;text-decoration-thickness:1px;border-radius:.25rem}
.link:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--brand-text);outline-offset:2px}
@media (max-width:30rem){
  html{background:var(--card)}
  .page{padding:0}
  .page>div{margin-block:clamp(0rem,9svh,7rem) auto}
  .card{border:0;border-radius:0;box-shadow:none;padding:2rem 1.25rem}
}
`
