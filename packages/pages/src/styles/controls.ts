/**
 * Forms, fields and buttons.
 *
 * A pressed button shows that it is busy and goes on showing it while the answer is on its way: the mark appears at
 * once, and it fades only after some seconds. A form that the browser will not send shows none.
 */
export const controlRules: string = `
form{margin:0}
.field{margin:0 0 1rem}
.field label{display:block;margin:0 0 .375rem;font-size:.9375rem;font-weight:550}
.field .hint{margin:.375rem 0 0}
.input{
  display:block;
  width:100%;
  min-height:3rem;
  padding:.625rem .875rem;
  font:inherit;
  color:var(--text);
  background:var(--field);
  border:1px solid var(--border);
  border-radius:.75rem;
  transition:border-color .12s
}
.input::placeholder{color:var(--muted);opacity:.85}
.input:hover{border-color:var(--text)}
.input:focus-visible{outline:3px solid var(--brand-text);outline-offset:0;border-color:transparent}
.input[aria-invalid=true]{border-color:var(--problem);box-shadow:inset 0 0 0 1px var(--problem)}
.field-check{display:flex;align-items:center;gap:.75rem;min-height:2.75rem}
.field-check label{order:1;margin:0}
.field-check input{width:1.5rem;height:1.5rem;margin:0;flex:none;accent-color:var(--brand-color)}
.input-code{
  font:600 1.375rem/1.2 ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;
  letter-spacing:.2em;
  text-transform:uppercase;
  text-align:center
}
.button{
  position:relative;
  display:flex;
  align-items:center;
  justify-content:center;
  gap:.75rem;
  width:100%;
  min-height:3rem;
  padding:.625rem 2.75rem;
  font:inherit;
  font-weight:600;
  line-height:1.3;
  text-align:center;
  text-decoration:none;
  color:var(--text);
  background:var(--card);
  border:1px solid var(--edge);
  border-radius:.75rem;
  cursor:pointer;
  -webkit-tap-highlight-color:transparent;
  touch-action:manipulation;
  transition:background-color .12s,border-color .12s,transform .12s
}
.button:hover{background:var(--hover);border-color:var(--border)}
.button:active{background:var(--pressed);transform:translateY(1px)}
.button-main{color:var(--button-text-color);background:var(--brand-color);border-color:var(--brand-edge)}
.button-main:hover{background:var(--brand-hover);border-color:var(--brand-edge)}
.button-main:active{background:var(--brand-pressed)}
.button::after{
  content:"";
  position:absolute;
  inset-inline-end:1rem;
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
form:invalid .button::after{display:none}
.button:focus::after{animation-play-state:running}
@keyframes busy{to{transform:rotate(1turn)}}
@media (prefers-reduced-motion:reduce){
  .button,.input{transition:none}
  .button:active{transform:none}
  .button::after{animation:none;border-style:dotted;border-color:currentColor}
}
@media (max-width:30rem){
  .button{padding-inline:1.75rem}
  .button::after{inset-inline-end:.625rem}
}
@media (forced-colors:active){
  .button-main{border-color:ButtonText}
}
`
