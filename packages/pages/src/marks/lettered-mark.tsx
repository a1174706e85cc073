import type { ProviderStyle } from '@postern/core'
import type { ReactElement } from 'react'
import { parseColor, toHex } from '../styles/color.ts'
import { legibleOn } from '../styles/palette.ts'

interface LetteredMarkProps {
  readonly name: string
  readonly style: ProviderStyle | null
}

/**
 * A provider's first letter on its colour.
 *
 * Colours are attributes of the drawing, computed from what was configured: a page has no inline style.
 */
export function LetteredMark({ name, style }: LetteredMarkProps): ReactElement {
  const background = parseColor(style?.bg ?? '')
  const letter = Array.from(name.trim())[0]?.toUpperCase() ?? ''
  const fill = background && toHex(legibleOn(background, parseColor(style?.text ?? '')))
  return (
    <svg className="mark" viewBox="0 0 28 28" aria-hidden="true">
      <rect
        x=".5"
        y=".5"
        width="27"
        height="27"
        rx="7"
        {...(background ? { fill: toHex(background) } : { className: 'neutral' })}
      />
      <text x="14" y="19.25" fontSize="15" textAnchor="middle" {...(fill && { fill })}>
        {letter}
      </text>
    </svg>
  )
}
