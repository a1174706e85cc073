import { Button, type FeatureScreenProps, Form, Row, Rows } from '@postern/pages'
import type { ReactElement } from 'react'
import { AccountFrame } from '../account-frame.tsx'
import type { TextKey } from '../texts.ts'
import type { ConnectionsProps } from './props.ts'

/** Shows the accounts of the user at providers, disconnects them, and connects others. */
export function ConnectionsScreen({
  props,
  texts,
  csrfToken
}: FeatureScreenProps<ConnectionsProps, TextKey>): ReactElement {
  const { accounts, removeAction, available, callbackUrl } = props
  return (
    <AccountFrame props={props} texts={texts} title="connections" lead="connectionsText">
      {accounts.length === 0 ? (
        <p className="hint">{texts.connectionsNone}</p>
      ) : (
        <Rows label={texts.connected}>
          {accounts.map(({ provider, providerAccountId, providerName, email, isRemovable }) => (
            <Row
              key={`${provider} ${providerAccountId}`}
              title={providerName ?? provider}
              detail={email && <bdi>{email}</bdi>}
              more={providerName === null && texts.unknownProvider}
              action={
                isRemovable && (
                  <Form action={removeAction} fields={{ csrfToken, provider, providerAccountId }}>
                    <Button label={texts.disconnect} kind="plain" about={providerName ?? provider} />
                  </Form>
                )
              }
            />
          ))}
        </Rows>
      )}
      {available.length > 0 && (
        <>
          <h2>{texts.connectMore}</h2>
          <Rows label={texts.connectMore}>
            {available.map(({ id, name, action }) => (
              <Row
                key={id}
                title={name}
                action={
                  <Form action={action} fields={{ csrfToken, callbackUrl, link: 'true' }}>
                    <Button label={texts.connect} kind="plain" about={name} />
                  </Form>
                }
              />
            ))}
          </Rows>
        </>
      )}
    </AccountFrame>
  )
}
