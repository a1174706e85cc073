type Fields = Readonly<Record<string, unknown>>

function at(path: string, profile: Fields): unknown {
  let value: unknown = profile
  for (const name of path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) value = Object(value)[name]
  return value ?? null
}

const filled = (template: string, profile: Fields): string =>
  template.replaceAll(/\{([^}]+)\}/g, (_, path: string) => String(at(path, profile)))

function conditional(text: string, profile: Fields): unknown {
  const [, condition = '', then = '', otherwise = ''] = /^if (.+?) then (.+) otherwise (.+)$/.exec(text) ?? []
  const holds = condition.split(' and ').every((part) => {
    const isNegated = part.startsWith('not ')
    return Boolean(at(isNegated ? part.slice(4) : part, profile)) !== isNegated
  })
  return mapped(holds ? then : otherwise, profile)
}

/** The value of one field of a user, by the words that a recorded mapping is written in. */
export function mapped(text: string, profile: Fields): unknown {
  if (text === 'null' || text === 'absent') return null
  if (text.startsWith('if ')) return conditional(text, profile)
  if (text.startsWith('template: ')) return filled(text.slice('template: '.length), profile)
  if (text.includes(', else ')) {
    for (const one of text.split(', else ')) {
      const value = mapped(one, profile)
      if (value !== null) return value
    }
    return null
  }
  if (text.endsWith(', or if falsy null')) return mapped(text.replace(', or if falsy null', ''), profile) || null
  if (text.startsWith('as string: ')) return String(mapped(text.slice('as string: '.length), profile))
  const list = /^non-empty of \[(.+)\] joined with " "$/.exec(text)?.[1]
  if (list) {
    const parts = list.split(', ').map((path) => at(path, profile))
    return parts.filter(Boolean).join(' ')
  }
  if (!/^[\w.~[\]-]+$/.test(text)) throw new Error(`a mapping in words that are not known: ${text}`)
  return at(text, profile)
}
