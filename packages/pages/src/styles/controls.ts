/**
 * Forms, fields and buttons.
 *
 * A pressed button shows a busy indicator while the response is pending: it appears immediately, and fades after some
 * seconds. A form that the browser does not submit shows none.
 */
export const controlRules: string = `
form{margin:0}
.field{margin:0 0 1rem}
.captcha{width:0;min-width:100%}
.field label{display:block;margin:0 0 .375rem;font-size:.875rem;font-weight:550}
.field-line{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:0 1rem;margin:0 0 .375rem}
.field .field-line label{margin:0}
.field-line .link{
  display:inline-flex;
  align-items:center;
  min-width:2.75rem;
  min-height:2.75rem;
  margin-block:-.8125rem;
  font-size:.875rem
}
form>.button+.button{margin-top:.75rem}
.input[readonly]{color:var(--muted);background:var(--hover)}
.field .hint{margin:.375rem 0 0}
.field-error{display:flex;gap:.375rem;margin:.375rem 0 0;color:var(--problem);font-size:.875rem}
.field-error .notice-icon{width:1.125rem;height:1.125rem;margin-top:.125rem}
.input{
  display:block;
  width:100%;
  min-height:2.875rem;
  padding:.5rem .875rem;
  font:inherit;
  color:var(--text);
  background:var(--field);
  border:1px solid var(--border);
  border-radius:var(--radius);
  transition:border-color .12s,box-shadow .12s
}
.input::placeholder{color:var(--muted);opacity:1}
.input:hover{border-color:var(--text)}
.input:focus-visible{outline:2px solid var(--brand-text);outline-offset:-1px;border-color:var(--brand-text);box-shadow:0 0 0 4px var(--brand-bg)}
.input[aria-invalid=true]{border-color:var(--problem);box-shadow:inset 0 0 0 1px var(--problem)}
.input[aria-invalid=true]:focus-visible{outline-color:var(--problem);border-color:var(--problem);box-shadow:0 0 0 4px var(--problem-bg)}
.secret{position:relative}
.secret:has(button) .input{padding-inline-end:3.25rem}
.show-password{
  position:absolute;
  inset-block:0;
  inset-inline-end:0;
  display:grid;
  place-items:center;
  width:2.875rem;
  padding:0;
  color:var(--muted);
  background:none;
  border:0;
  border-radius:var(--radius);
  cursor:pointer
}
.show-password:hover,.show-password[aria-pressed=true]{color:var(--text)}
.show-password:focus-visible{outline:2px solid var(--brand-text);outline-offset:-4px}
.show-password svg{width:1.25rem;height:1.25rem;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round}
.show-password[aria-pressed=false] .slash{display:none}
.field-check{display:flex;align-items:center;gap:.75rem;min-height:2.75rem}
.field-check .field-error{order:2;flex-basis:100%;margin:0}
.field-check:has(.field-error){flex-wrap:wrap;row-gap:0;margin-bottom:1rem}
.field-check label{order:1;flex:1;margin:0;padding:.625rem 0;font-weight:400}
.field-check input{width:1.25rem;height:1.25rem;margin:0;flex:none;accent-color:var(--brand-color)}
.input-code{
  font:600 1.25rem/1.2 ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;
  letter-spacing:.25em;
  text-transform:uppercase;
  text-align:center
}
.button{
  position:relative;
  display:flex;
  align-items:center;
  justify-content:center;
  width:100%;
  min-height:2.875rem;
  padding:.5rem 2rem;
  font:inherit;
  font-weight:500;
  line-height:1.3;
  text-align:center;
  text-wrap:balance;
  text-decoration:none;
  color:var(--text);
  background-color:var(--card);
  border:1px solid var(--border);
  border-radius:var(--radius);
  cursor:pointer;
  -webkit-tap-highlight-color:transparent;
  touch-action:manipulation;
  transition:background-color .12s,border-color .12s,box-shadow .12s
}
.button-provider{padding-inline:2.75rem}
.word{white-space:nowrap}
.button:hover{background-color:var(--hover)}
.button:active{background-color:var(--pressed)}
.button-main{font-weight:600;color:var(--button-text-color);background-color:var(--brand-color);border-color:var(--brand-edge)}
.button-main:hover{background-color:var(--brand-hover)}
.button-main:active{background-color:var(--brand-pressed)}
.button-danger{font-weight:600;color:var(--problem);border-color:var(--problem)}
.button-danger:hover{background-color:var(--problem-bg)}
.button::after{
  content:"";
  position:absolute;
  inset-inline-end:.9375rem;
  width:1rem;
  height:1rem;
  border:2px solid;
  border-inline-end-color:transparent;
  border-radius:50%;
  opacity:0;
  visibility:hidden;
  animation:busy .8s linear infinite paused;
  transition:opacity .3s 4s,visibility 0s 4.3s
}
.button:active::after{opacity:1;visibility:visible;transition:none;animation-play-state:running}
form:invalid .button:not([formnovalidate])::after{display:none}
.button:focus::after{animation-play-state:running}
@keyframes busy{to{transform:rotate(1turn)}}
@media (prefers-reduced-motion:reduce){
  .button,.input{transition:none}
  .button::after{animation:none;border-style:dotted;border-color:currentColor}
}
@media (prefers-contrast:more){
  .input,.button,.notice,.identity{border-color:var(--text)}
  .lead,.hint,.or,.reference{color:var(--text)}
}
@media (forced-colors:active){
  .button,.input,.card,.notice,.identity{border-color:CanvasText}
  .input[aria-invalid=true]{border-width:3px}
  .button-main{border-width:2px}
  .button::after{border-color:CanvasText;border-inline-end-color:Canvas}
}
@media print{
  .button::after{display:none}
}
`
