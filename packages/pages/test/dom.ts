import { type DefaultTreeAdapterTypes, parse } from 'parse5'

type Node = DefaultTreeAdapterTypes.ChildNode

/** An element as a browser reads it. */
export interface Element {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  /** Its text, unchanged. */
  readonly text: string
  /** The texts that are its own children. */
  readonly texts: readonly string[]
  readonly classes: readonly string[]
  /** From the nearest outwards. */
  readonly ancestors: readonly Element[]
}

export interface Dom {
  readonly elements: readonly Element[]
  readonly all: (tag: string) => readonly Element[]
  /** The only element of that tag, `#id` or `.class`; throws if there is none or another. */
  readonly one: (selector: string) => Element
  readonly has: (selector: string) => boolean
}

/** Reads a page with the parser that the HTML standard describes. */
export function read(html: string): Dom {
  const elements = parse(html).childNodes.flatMap((node) => collect(node, []))
  const all = (selector: string): readonly Element[] => elements.filter((element) => matches(element, selector))
  return {
    elements,
    all,
    has: (selector) => all(selector).length > 0,
    one: (selector) => {
      const [element, ...others] = all(selector)
      if (!element || others.length > 0) throw new Error(`expected one ${selector}, found ${all(selector).length}`)
      return element
    }
  }
}

function matches({ tag, attributes, classes }: Element, selector: string): boolean {
  if (selector.startsWith('#')) return attributes['id'] === selector.slice(1)
  if (selector.startsWith('.')) return classes.includes(selector.slice(1))
  return tag === selector
}

function collect(node: Node, ancestors: readonly Element[]): readonly Element[] {
  if (!('tagName' in node)) return []
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]))
  const element: Element = {
    tag: node.tagName,
    attributes,
    text: getText(node),
    texts: node.childNodes.flatMap((child) => ('value' in child ? [child.value] : [])),
    classes: (attributes['class'] ?? '').split(' ').filter(Boolean),
    ancestors
  }
  return [element, ...node.childNodes.flatMap((child) => collect(child, [element, ...ancestors]))]
}

function getText(node: Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(getText).join('') : ''
}

/** The elements of a page with the names of their attributes: what must not change with what is said on it. */
export function skeleton({ elements }: Dom): readonly string[] {
  // Words that stay on one line depend on the language.
  const words = elements.filter(({ tag, attributes }) => tag === 'span' && attributes['class'] === 'word')
  const isAround = (element: Dom['elements'][number]): boolean =>
    element.tag === 'span' &&
    Object.keys(element.attributes).length === 0 &&
    words.some(({ ancestors }) => ancestors.includes(element))
  return elements
    .filter((element) => !words.includes(element) && !isAround(element))
    .map(({ tag, attributes }) => [tag, ...Object.keys(attributes)].join(' '))
}

/** The hidden fields of every form of a page, by the form's action. */
export function hiddenFields({
  all
}: Dom): readonly (readonly [string | undefined, Readonly<Record<string, string>>])[] {
  return all('form').map((form) => {
    const own = all('input').filter(
      ({ ancestors, attributes }) => ancestors.includes(form) && attributes['type'] === 'hidden'
    )
    const fields = own.map(({ attributes }) => [attributes['name'] ?? '', attributes['value'] ?? ''])
    return [form.attributes['action'], Object.fromEntries(fields)] as const
  })
}
