import type { Dom, Element } from './dom.ts'

/** What the rules depend on. */
interface RuleContext {
  /** Whether a visit begins with the screen, so that nothing precedes it. */
  readonly isStart: boolean
  /** The URL of the people who run the site. */
  readonly support: string
}

const isControl = ({ tag, attributes }: Element): boolean =>
  tag === 'button' || tag === 'summary' || (tag === 'a' && attributes['href'] !== undefined)

/** A text that names an action, and the controls with which it is done. */
const actions: readonly (readonly [text: RegExp, control: RegExp])[] = [
  [
    /(?<!you )sign in (?:again|by email|another way|with (?:a|the) )/i,
    /sign in|verif|continue|email|another way|code/i
  ],
  [/(?:ask for|to get) a new one/i, /again|sign in|new/i],
  [/forgot (?:your|it)/i, /forgot|new password/i],
  [/create new ones|create new codes/i, /create/i],
  [/add another one/i, /back|add|connect/i],
  [/confirm that it is you/i, /confirm|sign in|continue|code|passkey|not now/i]
]

/** @returns The rules that a screen breaks: a primary button, a next step, a way out, and controls for what its text names. */
export function findBrokenRules({ elements, all, one }: Dom, { isStart, support }: RuleContext): readonly string[] {
  const controls = elements.filter(isControl)
  const text = one('main').text
  const forms = all('form')
  const isOutside = (control: Element): boolean =>
    forms.length === 0 || !control.ancestors.includes(forms[0] ?? control)
  const labels = controls.map((control) => control.text).join('\n')
  const isLinked = controls.some(({ attributes }) => attributes['href'] === support)
  return [
    ...(all('.button-main').length > 1 ? ['two primary buttons'] : []),
    ...(controls.length === 0 ? ['no next step'] : []),
    ...(isStart || controls.some(isOutside) ? [] : ['no way out']),
    ...(/people who run this site/.test(text) && !isLinked ? ['no link to the people who run the site'] : []),
    ...actions.flatMap(([named, control]) =>
      named.test(text) && !control.test(labels) ? [`nothing does ${named}`] : []
    )
  ]
}
