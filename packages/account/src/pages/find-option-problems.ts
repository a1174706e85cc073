import type { AccountPagesOptions, OwnSection } from './options.ts'

const builtIn = ['profile', 'email', 'connections', 'devices', 'activity', 'data', 'delete'].map(
  (name) => `account/${name}`
)

/** Whether a title has text in every language that it is given in. */
function hasTitle({ title }: OwnSection): boolean {
  const titles = typeof title === 'string' ? [title] : Object.values(title ?? {})
  return titles.length > 0 && titles.every((text) => typeof text === 'string' && text.trim() !== '')
}

/** Whether a link leads to a page: of the URLs, a browser runs `javascript:`, and `//host` is another site. */
function isLink(href: unknown): boolean {
  if (typeof href !== 'string') return false
  if (href.startsWith('/')) return !/^\/[/\\]/.test(href)
  return URL.canParse(href) && ['http:', 'https:'].includes(new URL(href).protocol)
}

function findSectionProblems(section: OwnSection): readonly string[] {
  const { id, href } = section
  const title = `expected a title of the section ${id} in sections, got an empty text; it is the text of the link`
  const expected = `expected href of the section ${id} in sections to be a path or an http or https URL`
  const link = `${expected}, got ${JSON.stringify(href)}; write a path such as /billing`
  return [...(hasTitle(section) ? [] : [title]), ...(isLink(href) ? [] : [link])]
}

function findPathProblems(path: string | undefined): readonly string[] {
  return path === undefined || /^(?:\/[\w-]+)+$/.test(path) ? [] : [`expected path to be like /settings, got ${path}`]
}

/** @returns What is wrong with the options. @param registered - The ids of the sections of all features. */
export function findOptionProblems(
  { path, hidden = [], order = [], sections = [] }: AccountPagesOptions,
  registered: readonly string[]
): readonly string[] {
  const known = [...new Set([...builtIn, ...registered, ...sections.map(({ id }) => id)])]
  const findUnknown = (option: string, ids: readonly string[]): readonly string[] =>
    ids
      .filter((id) => !known.includes(id))
      .map((id) => {
        const meant = known.find((one) => one.endsWith(`/${id}`))
        const hint = meant ? `write ${meant}` : `there are ${known.join(', ')}`
        return `expected the id of a section in ${option}, got ${id}; ${hint}`
      })
  return [
    ...findPathProblems(path),
    ...sections.flatMap(findSectionProblems),
    ...findUnknown('hidden', hidden),
    ...findUnknown('order', order)
  ]
}
