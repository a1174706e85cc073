import { Row, Rows } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../../button-form.tsx'
import { AccountFrame } from '../account-frame.tsx'
import { getProviderName } from '../provider-names.ts'
import type { ScreenProps } from '../texts.ts'
import type { ConnectionsProps } from './props.ts'

interface AccountProps extends Pick<ScreenProps<ConnectionsProps>, 'texts' | 'csrfToken'> {
  readonly account: ConnectionsProps['accounts'][number]
  readonly removeAction: string
}

/** An account at a provider, and the form that disconnects it. */
function Account({ account, removeAction, csrfToken, texts }: AccountProps): ReactElement {
  const { provider, providerAccountId, providerName, providerText, email, isRemovable } = account
  const name = getProviderName({ name: providerName, key: providerText }, texts) ?? provider
  return (
    <Row
      title={name}
      detail={email && <bdi>{email}</bdi>}
      more={providerName === null && texts.unknownProvider}
      action={
        isRemovable && (
          <ButtonForm
            action={removeAction}
            fields={{ csrfToken, provider, providerAccountId }}
            label={texts.disconnect}
            kind="plain"
            about={name}
          />
        )
      }
    />
  )
}

/** Shows the accounts of the user at providers, disconnects them, and connects others. */
export function ConnectionsScreen({ props, texts, csrfToken }: ScreenProps<ConnectionsProps>): ReactElement {
  const { accounts, removeAction, available, callbackUrl } = props
  return (
    <AccountFrame props={props} texts={texts} title="connections" lead="connectionsText">
      {accounts.length === 0 ? (
        <p className="hint">{texts.connectionsNone}</p>
      ) : (
        <Rows label={texts.connected}>
          {accounts.map((account) => (
            <Account
              key={`${account.provider} ${account.providerAccountId}`}
              account={account}
              removeAction={removeAction}
              csrfToken={csrfToken}
              texts={texts}
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
                  <ButtonForm
                    action={action}
                    fields={{ csrfToken, callbackUrl, link: 'true' }}
                    label={texts.connect}
                    kind="plain"
                    about={name}
                  />
                }
              />
            ))}
          </Rows>
        </>
      )}
    </AccountFrame>
  )
}
