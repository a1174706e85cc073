import type { Frame } from '@postern/core'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Document } from './document.tsx'
import { Confirm } from './screens/confirm.tsx'
import { ErrorScreen } from './screens/error.tsx'
import { OtherUser } from './screens/other-user.tsx'
import { SignIn } from './screens/sign-in.tsx'
import { SignOut } from './screens/sign-out.tsx'
import { StartAgain } from './screens/start-again.tsx'
import { VerifyRequest } from './screens/verify-request.tsx'
import { Welcome } from './screens/welcome.tsx'
import type { Texts } from './texts/texts.ts'
import type { View } from './view.ts'

export function toMarkup(element: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(element)}`
}

/** @returns The whole page. */
export function renderView(view: View, frame: Frame, texts: Texts, stylesheet: string): string {
  return toMarkup(
    <Document name={view.name} frame={frame} texts={texts} stylesheet={stylesheet}>
      {screenOf(view, frame, texts)}
    </Document>
  )
}

function screenOf(view: View, frame: Frame, texts: Texts): ReactElement {
  const shared = { frame, texts }
  switch (view.name) {
    case 'signin':
      return <SignIn view={view} {...shared} />
    case 'signout':
      return <SignOut view={view} {...shared} />
    case 'verify-request':
      return <VerifyRequest view={view} {...shared} />
    case 'confirm':
      return <Confirm view={view} {...shared} />
    case 'error':
      return <ErrorScreen view={view} {...shared} />
    case 'start-again':
      return <StartAgain view={view} {...shared} />
    case 'other-user':
      return <OtherUser view={view} {...shared} />
    case 'welcome':
      return <Welcome view={view} {...shared} />
  }
}
