import type { FeatureScreenProps } from '@postern/pages'
import { Heading } from '@postern/pages'
import type { ReactElement } from 'react'
import type { MessageProps } from './props.ts'
import type { TextKey } from './texts.ts'

/** A title and a text, with a link to sign in in another way. */
export function MessageScreen({ props, texts }: FeatureScreenProps<MessageProps, TextKey>): ReactElement {
  return (
    <>
      <Heading text={texts[props.title]} />
      <p className="lead">{texts[props.text]}</p>
      {props.signInUrl !== null && (
        <ul className="links">
          <li>
            <a className="link" href={props.signInUrl}>
              {texts.signIn}
            </a>
          </li>
        </ul>
      )}
    </>
  )
}
