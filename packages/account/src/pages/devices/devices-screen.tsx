import { Row, Rows, Timestamp } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../../button-form.tsx'
import { Sentence } from '../../sentence.tsx'
import { AccountFrame } from '../account-frame.tsx'
import type { ScreenProps, Texts } from '../texts.ts'
import { getLead, getSessionTitle } from './describe-session.ts'
import type { DevicesProps, ShownSession } from './props.ts'

/** When and how the session began. */
function SignIn(props: { readonly session: ShownSession; readonly now: string; readonly texts: Texts }) {
  const { session, now, texts } = props
  const { createdAt, provider, address } = session
  return (
    <>
      {createdAt !== null && (
        <Sentence text={texts.signedIn}>
          <Timestamp time={createdAt} now={now} locale={texts.locale} />
        </Sentence>
      )}{' '}
      {provider !== null && texts.signedInWith.replace('{provider}', provider)}{' '}
      {address !== null && (
        <Sentence text={texts.from}>
          <bdi>{address}</bdi>
        </Sentence>
      )}
    </>
  )
}

/** Shows where the user is signed in, and ends sessions. */
export function DevicesScreen({ props, texts, csrfToken }: ScreenProps<DevicesProps>): ReactElement {
  const { devices, hasMore, endAction, endOthersAction, verifyUrl, now } = props
  const canEnd = verifyUrl === null
  const hasOthers = getLead(props) === 'devicesText'
  return (
    <AccountFrame props={props} texts={texts} title="devices" lead={getLead(props)}>
      <Rows label={texts.devices}>
        {devices.map((session) => (
          <Row
            key={session.id}
            title={getSessionTitle(session, texts)}
            badge={session.isCurrent ? texts.thisDevice : null}
            detail={
              session.lastSeen !== null && (
                <Sentence text={texts.lastSeen}>
                  <Timestamp time={session.lastSeen} now={now} locale={texts.locale} />
                </Sentence>
              )
            }
            more={<SignIn session={session} now={now} texts={texts} />}
            action={
              canEnd &&
              !session.isCurrent && (
                <ButtonForm
                  action={endAction}
                  fields={{ csrfToken, id: session.id }}
                  label={texts.endDevice}
                  kind="plain"
                  about={getSessionTitle(session, texts)}
                />
              )
            }
          />
        ))}
      </Rows>
      {hasMore && <p className="hint">{texts.moreDevices}</p>}
      {hasOthers && canEnd && (
        <div className="stack">
          <ButtonForm action={endOthersAction} fields={{ csrfToken }} label={texts.endOthers} kind="plain" />
          <p className="hint">{texts.endOthersText}</p>
        </div>
      )}
    </AccountFrame>
  )
}
