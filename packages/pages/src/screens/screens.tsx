import type { PageContext, PageName } from '@postern/core'
import type { ComponentType, ReactElement } from 'react'
import type { Texts } from '../texts/texts.ts'
import type { FeatureScreenProps, ScreenProps, View } from '../view.ts'
import { Confirm } from './confirm.tsx'
import { ConfirmLink } from './confirm-link.tsx'
import { ErrorScreen } from './error.tsx'
import { OtherUser } from './other-user.tsx'
import { SignIn } from './sign-in.tsx'
import { SignOut } from './sign-out.tsx'
import { StartAgain } from './start-again.tsx'
import { UsedLink } from './used-link.tsx'
import { VerifyRequest } from './verify-request.tsx'
import { Welcome } from './welcome.tsx'

type Screen<N extends PageName> = ComponentType<ScreenProps<N>> | undefined

/** The components of the screens; an application may replace any of them. */
export interface Screens {
  readonly SignIn?: Screen<'signin'>
  readonly SignOut?: Screen<'signout'>
  /** "Check your email", with the field for the code. */
  readonly VerifyRequest?: Screen<'verify-request'>
  /** "Is this you?", for a link that was opened in another browser. */
  readonly Confirm?: Screen<'confirm'>
  readonly Error?: Screen<'error'>
  /** For a sign-in whose state is missing or expired. */
  readonly StartAgain?: Screen<'start-again'>
  /** For a sign-in that started before another user signed in. */
  readonly OtherUser?: Screen<'other-user'>
  /** For a signed-in user who returns from a provider with an account that no user has. */
  readonly ConfirmLink?: Screen<'confirm-link'>
  /** For a signed-in user who opens a mailed link that is no longer valid. */
  readonly UsedLink?: Screen<'used-link'>
  /** For new users, if `pages.newUser` is `true`. */
  readonly Welcome?: Screen<'welcome'>
  /** The screen of a feature, by the ids of both: `terms/accept`. */
  readonly [featureScreen: `${string}/${string}`]: ComponentType<FeatureScreenProps> | undefined
}

type BuiltInScreen = Exclude<keyof Screens, `${string}/${string}`>

/** The built-in screens: the content of the card. */
export const builtIn: { readonly [N in BuiltInScreen]-?: NonNullable<Screens[N]> } = {
  SignIn,
  SignOut,
  VerifyRequest,
  Confirm,
  Error: ErrorScreen,
  StartAgain,
  OtherUser,
  ConfirmLink,
  UsedLink,
  Welcome
}

/** @returns The screen of a page, or `null` if it is not one of these. */
export function getScreen(view: View, context: PageContext, texts: Texts, screens: Screens): ReactElement | null {
  const shared = { context, texts }
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
    case 'confirm-link':
      return screens.ConfirmLink ? <screens.ConfirmLink view={view} {...shared} /> : null
    case 'used-link':
      return screens.UsedLink ? <screens.UsedLink view={view} {...shared} /> : null
    case 'welcome':
      return screens.Welcome ? <screens.Welcome view={view} {...shared} /> : null
  }
}
