import { type HTMLElement, parse } from 'node-html-parser'

/** What the rules depend on. */
export interface RuleContext {
  /** Whether a visit begins with the screen, so that nothing precedes it. @defaultValue `false` */
  readonly isStart?: boolean
  /** The URL of the people who run the site. */
  readonly support: string
}

/** A text that names an action, and the label of a control that does it. */
const actions: readonly (readonly [text: RegExp, control: RegExp])[] = [
  [
    /(?<!you |can |to )sign in (?:again|first|yourself|by email|another way|with (?:a|an|the) )/i,
    /sign in|verif|confirm|continue|email|another way|code/i
  ],
  [/(?:ask for|to get) a new one/i, /again|sign in|new/i],
  [/create new (?:ones|codes)(?! after)/i, /create|confirm/i],
  [/add another one/i, /back|add|connect|all passkeys/i],
  [/(?<!to )confirm that it is you/i, /confirm|sign in|continue|code|passkey|not now/i]
]

const labelsOf = (controls: readonly HTMLElement[]): string => controls.map(({ text }) => text.trim()).join('\n')

/** Whether a screen says what has happened, and its only control does not look like a button. */
function isEnd(main: HTMLElement, controls: readonly HTMLElement[]): boolean {
  const isInMailbox = main.querySelector('h1')?.text.trim() === 'Check your email'
  const isForReading = main.querySelector('.rows, .identity, .hint') !== null
  return controls.length === 1 && !isInMailbox && !isForReading && !main.querySelector('.button-main')
}

/** A primary button, a next step, a way out, and controls for what the text names. */
function findDeadEnds(main: HTMLElement, { isStart = false, support }: RuleContext): readonly string[] {
  const controls = main.querySelectorAll('button, summary, a[href]')
  const [form] = main.querySelectorAll('form')
  const isOutside = (control: HTMLElement): boolean => !form || control.closest('form') !== form
  const isLinked = controls.some((control) => control.getAttribute('href') === support)
  const labels = labelsOf(controls)
  return [
    ...(main.querySelectorAll('.button-main').length > 1 ? ['two primary buttons'] : []),
    ...(controls.length === 0 ? ['no next step'] : []),
    ...(!isStart && isEnd(main, controls) ? ['the only next step is no primary button'] : []),
    ...(isStart || controls.some(isOutside) ? [] : ['no way out']),
    ...(/people who run this site/.test(main.text) && !isLinked ? ['no link to the people who run the site'] : []),
    ...actions.flatMap(([named, control]) =>
      named.test(main.text) && !control.test(labels) ? [`nothing does ${named.exec(main.text)?.[0]}`] : []
    )
  ]
}

/** What a field that is wrong lacks: a message with an icon that it refers to. */
function checkWrongField(field: HTMLElement, main: HTMLElement): readonly string[] {
  const name = field.getAttribute('name')
  const ids = (field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean)
  const messages = ids.flatMap((id) => main.querySelector(`#${id}`) ?? [])
  const errors = messages.filter(
    ({ classList }) => classList.contains('notice-problem') || classList.contains('field-error')
  )
  return [
    ...(messages.length < ids.length ? [`${name} refers to what is not there`] : []),
    ...(errors.length === 0 ? [`${name} has no message`] : []),
    ...(errors.every((error) => error.querySelector('svg')) ? [] : [`the message of ${name} has no icon`])
  ]
}

/** What a screen lacks that says that something went wrong. */
function findUnclearMistakes(document: HTMLElement, main: HTMLElement): readonly string[] {
  const wrong = main.querySelectorAll('[aria-invalid=true]')
  const notices = main
    .querySelectorAll('.notice-problem')
    .filter((notice) => notice.getAttribute('hidden') === undefined && !notice.closest('template'))
  const focused = main.querySelectorAll('[autofocus]')
  // Of fields that are wrong together, such as an address and a password, the one to type again has the focus.
  const together = wrong.filter((field) => field.getAttribute('aria-describedby')?.split(' ').includes('notice'))
  const expected = together.find((field) => !field.getAttribute('value')) ?? wrong[0]
  const title = document.querySelector('title')?.text ?? ''
  const isFailed = wrong.length > 0 || notices.length > 0
  const hasForm = main.querySelector('form') !== null
  return [
    ...(hasForm && isFailed !== title.startsWith('Error: ') ? [`the title is ${title}`] : []),
    ...(isFailed && focused.some((field) => field !== expected)
      ? ['the focused field is not the first wrong one']
      : []),
    ...(wrong.length > 0 && focused.length !== 1 ? [`${focused.length} fields have autofocus`] : []),
    ...(notices.every((notice) => notice.querySelector('svg')) ? [] : ['a notice has no icon']),
    ...wrong.flatMap((field) => checkWrongField(field, main))
  ]
}

/** @returns The rules that a screen in English breaks, as short sentences. */
export function findBrokenRules(html: string, context: RuleContext): readonly string[] {
  const document = parse(html)
  const main = document.querySelector('main')
  if (!main) return ['no main element']
  return [...findDeadEnds(main, context), ...findUnclearMistakes(document, main)]
}
