import { Heading } from '@postern/pages'
import type { ReactElement } from 'react'
import { NextSteps } from '../links.tsx'
import type { MessageProps } from './props.ts'
import type { ScreenProps } from './texts.ts'

/** A title and a text, with links that help. */
export function MessageScreen({ props, texts }: ScreenProps<MessageProps>): ReactElement {
  return (
    <>
      <Heading text={texts[props.title]} />
      <p className="lead">{texts[props.text]}</p>
      <NextSteps links={props.links.map(({ label, href }) => ({ label: texts[label], href }))} />
    </>
  )
}
