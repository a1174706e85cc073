import type { Frame, PageName } from '@postern/core'
import type { ReactElement, ReactNode } from 'react'
import { scripted } from './script/script.ts'
import { schemeOf } from './styles/scheme.ts'
import type { Texts } from './texts/texts.ts'

/** The names of the files that a page asks for. */
export interface Files {
  readonly stylesheet: string
  /** `null` where nothing runs in the browser. */
  readonly script: string | null
}

interface DocumentProps {
  readonly name: PageName
  readonly frame: Frame
  readonly texts: Texts
  readonly files: Files
  readonly children: ReactNode
}

/** The frame of every screen: title, language and files. */
export function Document({ name, frame, texts, files, children }: DocumentProps): ReactElement {
  const assets = `${frame.basePath}/assets`
  return (
    <html lang={texts.lang} dir={texts.dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{texts.titles[name]}</title>
        <link rel="stylesheet" href={`${assets}/${files.stylesheet}`} />
        {files.script !== null && scripted.has(name) && <script src={`${assets}/${files.script}`} defer={true} />}
      </head>
      <body className={`__next-auth-theme-${schemeOf(frame.theme)}`}>
        <main className="page">
          <div className={name}>{children}</div>
        </main>
      </body>
    </html>
  )
}
