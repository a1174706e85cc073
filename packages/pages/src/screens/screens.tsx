import type { Frame, PageName } from '@postern/core'
import type { ComponentType, ReactElement } from 'react'
import type { Texts } from '../texts/texts.ts'
import type { ScreenProps, View } from '../view.ts'
import { Confirm } from './confirm.tsx'
import { ErrorScreen } from './error.tsx'
import { OtherUser } from './other-user.tsx'
import { SignIn } from './sign-in.tsx'
import { SignOut } from './sign-out.tsx'
import { StartAgain } from './start-again.tsx'
import { VerifyRequest } from './verify-request.tsx'
import { Welcome } from './welcome.tsx'

type Screen<N extends PageName> = ComponentType<ScreenProps<N>> | undefined

/** What the screens are drawn by; an application may bring any of them. */
export interface Screens {
  readonly SignIn?: Screen<'signin'>
  readonly SignOut?: Screen<'signout'>
  /** "Check your e-mail", with the field for the code. */
  readonly VerifyRequest?: Screen<'verify-request'>
  /** "Is this you?", for a link that was opened in another browser. */
  readonly Confirm?: Screen<'confirm'>
  readonly Error?: Screen<'error'>
  /** For an attempt that was lost or is too old. */
  readonly StartAgain?: Screen<'start-again'>
  /** For an attempt that began before somebody else signed in. */
  readonly OtherUser?: Screen<'other-user'>
  /** For new users, where `pages.newUser` is `true`. */
  readonly Welcome?: Screen<'welcome'>
}

/** The screens as we draw them: what stands in the card. */
export const builtIn: { readonly [N in keyof Screens]-?: NonNullable<Screens[N]> } = {
  SignIn,
  SignOut,
  VerifyRequest,
  Confirm,
  Error: ErrorScreen,
  StartAgain,
  OtherUser,
  Welcome
}

/** @returns The screen of a page, or `null` where it is not among these. */
export function screenOf(view: View, frame: Frame, texts: Texts, screens: Screens): ReactElement | null {
  const shared = { frame, texts }
  switch (view.name) {
    case 'signin':
      return screens.SignIn ? <screens.SignIn view={view} {...shared} /> : null
    case 'signout':
      return screens.SignOut ? <screens.SignOut view={view} {...shared} /> : null
    case 'verify-request':
      return screens.VerifyRequest ? <screens.VerifyRequest view={view} {...shared} /> : null
    case 'confirm':
      return screens.Confirm ? <screens.Confirm view={view} {...shared} /> : null
    case 'error':
      return screens.Error ? <screens.Error view={view} {...shared} /> : null
    case 'start-again':
      return screens.StartAgain ? <screens.StartAgain view={view} {...shared} /> : null
    case 'other-user':
      return screens.OtherUser ? <screens.OtherUser view={view} {...shared} /> : null
    case 'welcome':
      return screens.Welcome ? <screens.Welcome view={view} {...shared} /> : null
  }
}
