import type { PlainScreen } from '@postern/core/feature'

// The parts of a screen that is shown without a renderer.

type PlainForm = NonNullable<PlainScreen['form']>
type PlainField = PlainForm['fields'][number]

export const hiddenField = (name: string, value: string): PlainField => ({ name, label: '', type: 'hidden', value })

export const hiddenFields = (values: Readonly<Record<string, string>>): readonly PlainField[] =>
  Object.entries(values).map(([name, value]) => hiddenField(name, value))

export const textField = (name: string, label: string): PlainField => ({ name, label, type: 'text' })

/** The form of an action; none for an action that the user does not have. */
export const toForm = (
  action: string | null,
  submit: string,
  fields: readonly PlainField[] = []
): { readonly form?: PlainForm } => (action === null ? {} : { form: { action, submit, fields } })

/** The links that lead somewhere. */
export const toLinks = (
  ...links: readonly (readonly [label: string, href: string | null | undefined])[]
): NonNullable<PlainScreen['links']> => links.flatMap(([label, href]) => (href ? [{ label, href }] : []))

/** The sentences that there are, as one text. */
export const toText = (...sentences: readonly (string | false | null | undefined)[]): string =>
  sentences.filter(Boolean).join(' ')

/** Fills in a time in ISO 8601. */
export const fillTime = (text: string, time: string): string =>
  text.replace('{time}', time.replace('T', ' ').replace(/\..*/, ' UTC'))
