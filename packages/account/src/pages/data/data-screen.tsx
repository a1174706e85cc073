import { Button, type FeatureScreenProps, Form } from '@postern/pages'
import type { ReactElement } from 'react'
import { AccountFrame } from '../account-frame.tsx'
import type { TextKey } from '../texts.ts'
import type { DataProps } from './props.ts'

/** Downloads what is stored about the user. */
export function DataScreen({ props, texts, csrfToken }: FeatureScreenProps<DataProps, TextKey>): ReactElement {
  const { action } = props
  return (
    <AccountFrame props={props} texts={texts} title="data" lead="dataText">
      {action !== null && (
        <div className="stack">
          <Form action={action} fields={{ csrfToken }}>
            <Button label={texts.download} />
          </Form>
        </div>
      )}
    </AccountFrame>
  )
}
