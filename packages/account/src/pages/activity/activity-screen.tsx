import { Row, Rows, Timestamp } from '@postern/pages'
import { Fragment, type ReactElement } from 'react'
import { LinkItem } from '../../links.tsx'
import { AccountFrame } from '../account-frame.tsx'
import { getProviderName } from '../provider-names.ts'
import type { ScreenProps, Texts } from '../texts.ts'
import type { Activity, ActivityProps } from './props.ts'

/** The text of a type; the events of other features and of the application have none. */
function getEventText(type: string, texts: Texts): string {
  const known: Readonly<Record<string, string>> = texts
  const key = `event-${type}`
  return Object.hasOwn(known, key) ? (known[key] ?? type) : texts['event-other'].replace('{type}', type)
}

const getPlace = ({ provider, providerText, device, address }: Activity, texts: Texts): PlaceProps['parts'] => [
  getProviderName({ name: provider, key: providerText }, texts),
  device,
  address
]

interface PlaceProps {
  readonly parts: readonly (string | null)[]
}

/** How and where from an event was caused. In a right-to-left language, each part keeps its own direction. */
function Place({ parts }: PlaceProps): ReactElement {
  const known = parts.flatMap((part) => part || [])
  return (
    <>
      {known.map((part, index) => (
        <Fragment key={part}>
          {index > 0 && ' · '}
          <bdi>{part}</bdi>
        </Fragment>
      ))}
    </>
  )
}

/** Shows the security events of the user, the newest first. */
export function ActivityScreen({ props, texts }: ScreenProps<ActivityProps>): ReactElement {
  const { events, olderUrl, newestUrl, now } = props
  return (
    <AccountFrame props={props} texts={texts} title="activity" lead="activityText">
      {events.length === 0 ? (
        <p className="hint">{texts.activityNone}</p>
      ) : (
        <Rows label={texts.activity}>
          {events.map((event) => (
            <Row
              key={event.id}
              title={getEventText(event.type, texts)}
              detail={<Timestamp time={event.time} now={now} locale={texts.locale} />}
              more={(event.provider || event.device || event.address) && <Place parts={getPlace(event, texts)} />}
            />
          ))}
        </Rows>
      )}
      {(olderUrl ?? newestUrl) !== null && (
        <ul className="links">
          {newestUrl !== null && <LinkItem label={texts.newest} href={newestUrl} />}
          {olderUrl !== null && <LinkItem label={texts.older} href={olderUrl} />}
        </ul>
      )}
    </AccountFrame>
  )
}
