import type { Choice } from '@postern/core'
import type { ReactElement } from 'react'
import { markColors } from '../styles/logo-colors.ts'
import { markOf } from './load-logo.ts'

type Provider = Pick<Extract<Choice, { readonly type: 'oauth' }>, 'id' | 'name' | 'style'>

const ownLogo = /^(?:\/(?![/\\])|data:image\/(?:avif|gif|jpeg|png|svg\+xml|webp)[;,])/i

/**
 * A provider's mark: its drawing, else the application's for it, else its first letter on its colour.
 *
 * The application's is a path of this site or a `data:` image: nothing else would be let through by the policy.
 *
 * Colours are attributes of the drawing: a page has no inline style.
 */
export function ProviderMark({ provider }: { readonly provider: Provider }): ReactElement {
  const mark = markOf(provider.id)
  const logo = provider.style?.logo ?? ''
  if (mark === null && ownLogo.test(logo)) return <img className="mark" src={logo} alt="" />
  if (mark === null) return <LetteredMark provider={provider} />
  const { size, color, shapes } = mark
  const shape = color === 'currentColor' ? color : markColors(color ?? '').shape
  return (
    <svg className="mark" viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      {shapes.map(({ d, fill = shape }) => (
        <path key={d} d={d} fill={fill} />
      ))}
    </svg>
  )
}

function LetteredMark({ provider: { name, style } }: { readonly provider: Provider }): ReactElement {
  const { shape, letter } = markColors(style?.bg ?? '', style?.text)
  return (
    <svg className="mark mark-letter" viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill={shape} />
      <text x="12" y="17" fontSize="14" textAnchor="middle" fill={letter}>
        {Array.from(name.trim())[0]?.toUpperCase() ?? ''}
      </text>
    </svg>
  )
}
