import { Heading } from '@postern/pages'
import type { ReactElement } from 'react'
import { LinkForm, LinkItem, NextStep } from '../links.tsx'
import { Sentence } from '../sentence.tsx'
import { getFileName } from './file-name.ts'
import { getLostHelp } from './leads.ts'
import type { LostProps } from './props.ts'
import type { ScreenProps } from './texts.ts'

/** Helps a user who has lost every factor, and first to find the recovery codes, if there are any. Nothing here is a way around them. */
export function LostScreen({ props, texts, csrfToken, context }: ScreenProps<LostProps>): ReactElement {
  const { hasCodes, hasOtherWay, challengeUrl, cancelAction } = props
  const { support } = context.theme.links
  return (
    <>
      <Heading text={hasCodes ? texts.lostTitle : texts.lostFactor} />
      {hasCodes && (
        <p className="lead">
          <Sentence text={texts.lostText}>
            <bdi>{getFileName(context.siteName)}</bdi>
          </Sentence>
        </p>
      )}
      <p className="lead">{texts[getLostHelp(props)]}</p>
      {support !== '' && <NextStep label={texts.support} href={support} />}
      <ul className="links">
        <LinkItem label={texts.goBack} href={challengeUrl} />
        <LinkForm
          action={cancelAction}
          csrfToken={csrfToken}
          label={hasOtherWay && !hasCodes ? texts.signIn : texts.cancel}
        />
      </ul>
    </>
  )
}
