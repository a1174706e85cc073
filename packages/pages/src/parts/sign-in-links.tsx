import type { ReactElement } from 'react'
import type { Texts } from '../texts/texts.ts'
import type { ViewOf } from '../view.ts'
import type { FieldLink } from './field.tsx'

type SignInView = ViewOf<'signin'>

/** @returns The link for a forgotten password of a method; `null` if there is none. */
export function findRecovery({ links }: Pick<SignInView, 'links'>, methodId: string): FieldLink | null {
  return links.find(({ purpose, methods }) => purpose === 'recovery' && methods.includes(methodId)) ?? null
}

/** Whether the link stands beside the label of a password: at once, or in the second step. */
function isBesidePassword(
  { purpose, methods }: SignInView['links'][number],
  { choices }: Pick<SignInView, 'choices'>
): boolean {
  return purpose === 'recovery' && choices.some(({ id, type }) => type === 'credentials' && methods.includes(id))
}

interface SignInLinksProps extends Pick<SignInView, 'links'> {
  /** Without them, every link is in the list. @defaultValue none */
  readonly texts?: Texts
  /** The links beside its labels are omitted. @defaultValue none are */
  readonly view?: Pick<SignInView, 'choices'>
}

/** The links of features below the ways to sign in: those to create an account follow a question. */
export function SignInLinks({ links, texts, view }: SignInLinksProps): ReactElement | null {
  const signUps = texts ? links.filter(({ purpose }) => purpose === 'sign-up') : []
  const others = links.filter((link) => !signUps.includes(link) && !(view && isBesidePassword(link, view)))
  return (
    <>
      {texts && signUps.length > 0 && (
        <p className="sign-up">
          {texts.signIn.newHere}
          {signUps.map(({ href, label }) => (
            <a key={href} className="link" href={href}>
              <bdi>{label}</bdi>
            </a>
          ))}
        </p>
      )}
      {others.length > 0 && (
        <ul className="links">
          {others.map(({ href, label }) => (
            <li key={href}>
              <a className="link" href={href}>
                <bdi>{label}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
