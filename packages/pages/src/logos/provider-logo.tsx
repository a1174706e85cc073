import type { SignInOption } from '@postern/core'
import type { ReactElement } from 'react'
import { logoColors } from '../styles/logo-colors.ts'
import { loadLogo } from './load-logo.ts'

type Provider = Pick<Extract<SignInOption, { readonly type: 'oauth' }>, 'id' | 'name' | 'style' | 'symbol'>

const ownLogo = /^(?:\/(?![/\\])|data:image\/(?:avif|gif|jpeg|png|svg\+xml|webp)[;,])/i

/**
 * The logo of a provider: the built-in one, else the application's, else its first letter in its color.
 *
 * The application's logo must be a path on this site or a `data:` image, as the Content Security Policy requires.
 *
 * Colors are attributes of the SVG, because pages have no inline styles.
 */
export function ProviderLogo({ provider }: { readonly provider: Provider }): ReactElement {
  if (provider.symbol === 'passkey') return <PasskeySymbol />
  const mark = loadLogo(provider.id)
  const logo = provider.style?.logo ?? ''
  if (mark === null && ownLogo.test(logo)) return <img className="mark" width="20" height="20" src={logo} alt="" />
  if (mark === null) return <LetterLogo provider={provider} />
  const { size, origin = [0, 0], color, shapes } = mark
  const shape = color === 'currentColor' ? color : logoColors(color ?? '').shape
  return (
    <svg className="mark" width="20" height="20" viewBox={[...origin, size, size].join(' ')} aria-hidden="true">
      {shapes.map(({ d, fill = shape }) => (
        <path key={d} d={d} fill={fill} />
      ))}
    </svg>
  )
}

/** A person with a key. */
function PasskeySymbol(): ReactElement {
  return (
    <svg className="mark" width="20" height="20" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="9.5" cy="7" r="4.25" />
      <path d="M1.5 20.5v-2a6 6 0 0 1 6-6h4c.9 0 1.8.2 2.55.56a5.4 5.4 0 0 0 1.7 4.44v3z" />
      <path
        d="M19 10.25a4 4 0 0 0-1.75 7.6v4L18.75 23.4l2.5-2.5-1.5-1.5 1.5-1.5-.9-.9A4 4 0 0 0 19 10.25zm0 2a1.25 1.25 0 1 1 0 2.5 1.25 1.25 0 0 1 0-2.5z"
        fillRule="evenodd"
      />
    </svg>
  )
}

function LetterLogo({ provider: { name, style } }: { readonly provider: Provider }): ReactElement {
  const { shape, letter } = logoColors(style?.bg ?? '', style?.text)
  return (
    <svg className="mark mark-letter" width="20" height="20" viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill={shape} />
      <text x="12" y="17" fontSize="14" textAnchor="middle" fill={letter}>
        {Array.from(name.trim())[0]?.toUpperCase() ?? ''}
      </text>
    </svg>
  )
}
