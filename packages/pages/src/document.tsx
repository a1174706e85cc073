import type { PageContext, PageName } from '@postern/core'
import type { ReactElement, ReactNode } from 'react'
import { scripted } from './script/script.ts'
import { getScheme } from './styles/scheme.ts'
import type { Texts } from './texts/texts.ts'

/** The names of the files that a page loads. */
export interface Files {
  readonly stylesheet: string
  /** `null` if the page has no script. */
  readonly script: string | null
}

interface DocumentProps {
  readonly name: PageName | 'feature'
  readonly title: string
  readonly context: PageContext
  readonly texts: Texts
  readonly files: Files
  /** @defaultValue `'narrow'` */
  readonly width?: 'narrow' | 'wide' | undefined
  /** The scripts of features. */
  readonly scripts?: readonly string[] | undefined
  readonly children: ReactNode
}

/** The document of every screen: title, language and files. */
export function Document(props: DocumentProps): ReactElement {
  const { name, title, context, texts, files, width, scripts = [], children } = props
  const assets = `${context.basePath}/assets`
  return (
    <html lang={texts.lang} dir={texts.dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="stylesheet" href={`${assets}/${files.stylesheet}`} />
        {files.script !== null && name !== 'feature' && scripted.has(name) && (
          <script src={`${assets}/${files.script}`} defer={true} />
        )}
        {scripts.map((script) => (
          <script key={script} src={`${assets}/${script}`} defer={true} />
        ))}
      </head>
      <body className={`__next-auth-theme-${getScheme(context.theme)}`}>
        <main className="page">
          <div className={width === 'wide' ? `${name} wide` : name}>{children}</div>
        </main>
      </body>
    </html>
  )
}
