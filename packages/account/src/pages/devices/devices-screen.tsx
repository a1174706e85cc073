import { Row, Rows, Timestamp } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../../button-form.tsx'
import { Sentence } from '../../sentence.tsx'
import { AccountFrame } from '../account-frame.tsx'
import type { ScreenProps, Texts } from '../texts.ts'
import { getDeviceTitle, getLead } from './describe-device.ts'
import type { Device, DevicesProps } from './props.ts'

/** When and how the device was signed in. */
function SignIn({ device, now, texts }: { readonly device: Device; readonly now: string; readonly texts: Texts }) {
  const { createdAt, provider, address } = device
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
        {devices.map((device) => (
          <Row
            key={device.id}
            title={getDeviceTitle(device, texts)}
            badge={device.isCurrent ? texts.thisDevice : null}
            detail={
              device.lastSeen !== null && (
                <Sentence text={texts.lastSeen}>
                  <Timestamp time={device.lastSeen} now={now} locale={texts.locale} />
                </Sentence>
              )
            }
            more={<SignIn device={device} now={now} texts={texts} />}
            action={
              canEnd &&
              !device.isCurrent && (
                <ButtonForm
                  action={endAction}
                  fields={{ csrfToken, id: device.id }}
                  label={texts.endDevice}
                  kind="plain"
                  about={getDeviceTitle(device, texts)}
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
