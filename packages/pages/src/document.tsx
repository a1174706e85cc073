import type { Frame, PageName } from '@postern/core'
import type { ReactElement, ReactNode } from 'react'
import { Logo } from './parts/logo.tsx'
import { schemeOf } from './styles/scheme.ts'
import type { Texts } from './texts/texts.ts'

interface DocumentProps {
  readonly name: PageName
  readonly frame: Frame
  readonly texts: Texts
  /** The name of the style sheet's file. */
  readonly stylesheet: string
  readonly children: ReactNode
}

/** The frame of every screen: title, language, style sheet and the one card. */
export function Document({ name, frame, texts, stylesheet, children }: DocumentProps): ReactElement {
  return (
    <html lang={texts.lang} dir={texts.dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{texts.titles[name]}</title>
        <link rel="stylesheet" href={`${frame.basePath}/assets/${stylesheet}`} />
      </head>
      <body className={`__next-auth-theme-${schemeOf(frame.theme)}`}>
        <main className="page">
          <div className={name}>
            <div className="card">
              <Logo frame={frame} />
              {children}
            </div>
          </div>
        </main>
      </body>
    </html>
  )
}
