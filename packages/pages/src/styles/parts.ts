/**
 * Lists of sign-in options, notices and similar parts.
 *
 * In forced colors a logo has one color, so the ground of Facebook's and the shape behind a letter have the other one.
 */
export const partRules: string = `
.stack{display:grid;gap:.75rem;margin-top:1.75rem}
.stack form{min-width:0}
:is(.stack,.notice)+.lead{margin-top:1.5rem}
.or{display:flex;align-items:center;gap:1rem;margin:.25rem 0;color:var(--muted);font-size:.8125rem}
.or::before,.or::after{content:"";flex:1;height:1px;background:var(--line)}
.mark{position:absolute;inset-inline-start:.875rem;width:1.25rem;height:1.25rem;fill:currentColor;object-fit:contain}
.mark-letter text{font-weight:700}
.mark-text{
  position:absolute;
  inset-block-start:-.625rem;
  inset-inline-end:.75rem;
  padding:0 .5rem;
  color:var(--brand-text);
  background:var(--card);
  border:1px solid var(--brand-text);
  border-radius:1rem;
  font-size:.75rem;
  font-weight:550;
  line-height:1.125rem;
  white-space:nowrap
}
.button:has(.mark-text){padding-block:.75rem}
.fold>summary{
  display:flex;
  align-items:center;
  justify-content:center;
  gap:.625rem;
  min-height:2.75rem;
  border-radius:var(--radius);
  color:var(--muted);
  font-size:.9375rem;
  font-weight:500;
  text-align:center;
  list-style:none;
  cursor:pointer
}
.fold>summary::-webkit-details-marker{display:none}
.fold>summary:hover{color:var(--text);background:var(--hover)}
.fold>summary::after{
  content:"";
  flex:none;
  width:.4375rem;
  height:.4375rem;
  border:solid;
  border-width:0 2px 2px 0;
  transform:translateY(-25%) rotate(45deg)
}
.fold[open]>summary::after{transform:translateY(25%) rotate(225deg)}
.fold>.stack{margin-top:.75rem}
.sign-up{display:flex;flex-wrap:wrap;gap:0 .5rem;margin-top:1.5rem;color:var(--muted);font-size:.9375rem}
.notice{
  margin:1.5rem 0 0;
  padding:.75rem 1rem;
  color:var(--text);
  background:var(--hover);
  border:1px solid var(--line);
  border-radius:var(--radius-box);
  font-size:.9375rem
}
.notice p{margin:0}
.notice-problem{display:flex;gap:.625rem}
.notice-problem .link{color:inherit}
.notice-icon{flex:none;width:1.25rem;height:1.25rem;margin-top:.0625rem}
.notice-problem{color:var(--problem);background:var(--problem-bg);border-color:var(--problem-line)}
.notice-success{color:var(--text);background:var(--brand-bg);border-color:var(--brand-text)}
.notice strong{font-weight:650}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
h2{margin:2.25rem 0 0;font-size:1.0625rem;line-height:1.35;font-weight:650}
.rows{margin:1rem 0 0;padding:0;list-style:none;border:1px solid var(--line);border-radius:var(--radius-box)}
.row{
  position:relative;
  display:flex;
  flex-wrap:wrap;
  align-items:center;
  gap:.5rem 1rem;
  min-height:3.5rem;
  padding:.75rem 1rem
}
.row+.row{border-top:1px solid var(--line)}
.row p{margin:0}
.row .hint+.hint{margin-top:.125rem}
.row-text{flex:1 1 14rem;min-width:0}
.row-title{display:flex;flex-wrap:wrap;align-items:center;gap:.125rem .625rem;font-weight:550}
.row-link{color:inherit;text-decoration:none}
.row-link::after{content:"";position:absolute;inset:0;border-radius:var(--radius-box)}
.row:has(.row-link){flex-wrap:nowrap}
.row:has(.row-link):hover{background:var(--hover)}
.row-link:focus-visible{outline:none}
.row-link:focus-visible::after{outline:2px solid var(--brand-text);outline-offset:-2px}
.row:has(.row-link)::after{
  content:"";
  flex:none;
  width:.5rem;
  height:.5rem;
  border:solid var(--muted);
  border-width:2px 2px 0 0;
  transform:rotate(45deg)
}
[dir=rtl] .row:has(.row-link)::after{transform:rotate(-135deg)}
.row-badge{
  margin-block:.125rem;
  padding:.0625rem .5rem;
  border:1px solid var(--brand-text);
  border-radius:1rem;
  font-size:.75rem;
  font-weight:550
}
.row-warning .hint{color:var(--problem)}
.row-action{flex:none;max-width:100%}
.row-action .button{width:auto;min-height:2.75rem;padding-inline:1.125rem}
.row-action .button::after{display:none}
.danger{margin-top:2.25rem;padding-top:.25rem;border-top:1px solid var(--line)}
@media not all and (max-width:30rem){
  .wide .stack>.button,.wide .stack form>.button{justify-self:start;width:auto;min-width:12rem;max-width:100%}
}
.notice+.stack{margin-top:1.25rem}
.stack>.notice{margin:0}
form .notice{margin:0 0 1rem}
.identity{
  display:flex;
  align-items:center;
  gap:.75rem;
  margin:1rem 0 0;
  padding:.625rem .875rem;
  background:var(--hover);
  border:1px solid var(--line);
  border-radius:var(--radius-box);
  line-height:1.35
}
.identity svg{flex:none;width:1.75rem;height:1.75rem;color:var(--muted)}
.identity span{display:flex;flex-direction:column;align-items:flex-start;min-width:0}
.identity bdi{font-weight:550}
.identity bdi,.welcome h1{
  display:-webkit-box;
  -webkit-box-orient:vertical;
  -webkit-line-clamp:6;
  line-clamp:6;
  overflow:hidden
}
.identity bdi+bdi{font-weight:400;font-size:.875rem;color:var(--muted)}
.badge{
  display:block;
  width:3rem;
  height:3rem;
  margin:0 0 1.25rem;
  padding:.75rem;
  border-radius:var(--radius-badge);
  color:var(--brand-text);
  background:var(--brand-bg)
}
.logo~.badge,.logo-link~.badge{display:none}
.badge-problem{color:var(--problem);background:var(--problem-bg)}
.links{display:flex;flex-wrap:wrap;gap:0 1.5rem;margin:1rem 0 0;padding:0;list-style:none;font-size:.9375rem}
.links a,.links button{display:inline-flex;align-items:center;min-width:2.75rem;min-height:2.75rem}
.links button{padding:0;border:0;background:none;font:inherit;font-weight:500;text-align:start;cursor:pointer}
.hint+.links{margin-top:0}
.links form{display:contents}
.after{margin-top:1.5rem}
.step{margin:0 0 .25rem;color:var(--muted);font-size:.875rem;font-weight:550}
.box{padding:.75rem 1rem;background:var(--hover);border:1px solid var(--line);border-radius:var(--radius-box)}
.box p{margin:0}
.box .link{color:inherit}
.box-line{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 1rem}
.box-line button{min-height:2.75rem;padding:0;border:0;background:none;font:inherit;font-weight:500;cursor:pointer}
.box code,.codes{font:550 1rem/1.75 ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;user-select:all}
.codes{margin:1.5rem 0 0;columns:7rem}
.qr-picture{margin:0}
.qr-code{display:block;width:13.75rem;max-width:100%;height:auto}
.on-phone{display:none}
@media (pointer:coarse),(max-width:30rem){
  .on-phone{display:block}
  .on-phone~.qr-picture{order:1}
  .on-phone~.button{order:2}
  .qr-code{width:9rem}
}
@media (max-width:22rem){
  .identity{gap:.625rem;padding-inline:.625rem}
  .identity svg{width:1.25rem;height:1.25rem}
}
@media print{
  .button,.links{display:none}
}
@media (forced-colors:active){
  .or::before,.or::after{background:CanvasText}
  .badge{color:CanvasText;background:Canvas;border:1px solid CanvasText}
  .identity svg{color:CanvasText}
  .row:has(.row-link)::after{border-color:CanvasText}
  .row-badge,.mark-text{border-color:CanvasText}
  .mark *{fill:ButtonText}
  .mark-letter text,.button-facebook .mark :first-child{fill:ButtonFace}
}
`
