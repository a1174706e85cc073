import { keyboardRows } from './keyboard-rows.ts'

/**
 * The script of the forms with a new password: it shows the strength while it is typed. That it is too short is said once the
 * field is left. It works on attributes of the input,
 * and the form works without it.
 *
 * `getEffectiveLength` counts the characters that neither repeat nor continue a sequence such as `abc`, `321` or `asd`.
 */
export const strengthScript: string = `'use strict'
const rows = ${JSON.stringify(keyboardRows)}
const getEffectiveLength = (text) => {
  const characters = Array.from(text.normalize('NFKC').toLowerCase())
  const steps = characters.map((each, at) => (at === 0 ? null : each.codePointAt(0) - characters[at - 1].codePointAt(0)))
  const isInRow = (some) => rows.some((row) => row.includes(some.join('')) || row.includes(some.reverse().join('')))
  const isNext = (step, at) =>
    at > 1 && ((Math.abs(step) === 1 && step === steps[at - 1]) || isInRow(characters.slice(at - 2, at + 1)))
  return Math.min(steps.filter((step, at) => step !== 0 && !isNext(step, at)).length, new Set(characters).size * 2)
}
const getStrength = (text) => {
  const length = getEffectiveLength(text)
  return length < 15 ? 'strengthFair' : length < 20 ? 'strengthGood' : 'strengthStrong'
}
for (const input of globalThis.document?.querySelectorAll('input[data-strength-short]') ?? []) {
  const status = document.createElement('p')
  status.className = 'hint'
  status.setAttribute('role', 'status')
  input.closest('.field').append(status)
  const show = (hasLeft) => {
    const isShort = Array.from(input.value.normalize('NFKC')).length < input.minLength
    const short = hasLeft && input.value !== '' ? input.dataset.strengthShort : ''
    status.textContent = isShort ? short : input.dataset[getStrength(input.value)]
  }
  input.addEventListener('input', () => show(false))
  input.addEventListener('change', () => show(true))
}
`
