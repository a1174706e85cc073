/** How strong a password is that is long enough. */
export type Strength = 'strengthFair' | 'strengthGood' | 'strengthStrong'

/**
 * The script of the forms with a new password: it shows the strength while it is typed. It works on attributes of the input,
 * and the form works without it.
 *
 * `getEffectiveLength` counts the characters that neither repeat nor continue a sequence such as `abc` or `321`.
 */
export const strengthScript: string = `'use strict'
const getEffectiveLength = (text) => {
  const codes = Array.from(text.normalize('NFKC'), (character) => character.codePointAt(0))
  const seen = new Set(codes)
  const steps = codes.map((code, at) => (at === 0 ? null : code - codes[at - 1]))
  const isNew = (step, at) => !(step === 0 || (Math.abs(step) === 1 && step === steps[at - 1]))
  return Math.min(steps.filter(isNew).length, seen.size * 2)
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
  input.addEventListener('input', () => {
    const { minLength, strengthShort } = input.dataset
    const isShort = Array.from(input.value.normalize('NFKC')).length < Number(minLength)
    status.textContent = input.value === '' ? '' : isShort ? strengthShort : input.dataset[getStrength(input.value)]
  })
}
`

/** The same for a password that was submitted. */
export function getStrength(text: string): Strength {
  const codes = Array.from(text.normalize('NFKC'), (character) => character.codePointAt(0) ?? 0)
  const steps = codes.map((code, at) => (at === 0 ? null : code - (codes[at - 1] ?? 0)))
  const isNew = (step: number | null, at: number): boolean =>
    step !== 0 && !(step !== null && Math.abs(step) === 1 && step === steps[at - 1])
  const length = Math.min(steps.filter(isNew).length, new Set(codes).size * 2)
  return length < 15 ? 'strengthFair' : length < 20 ? 'strengthGood' : 'strengthStrong'
}
