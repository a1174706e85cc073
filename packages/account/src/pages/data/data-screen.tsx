import type { FeatureScreenProps } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../../button-form.tsx'
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
          <ButtonForm action={action} fields={{ csrfToken }} label={texts.download} />
        </div>
      )}
    </AccountFrame>
  )
}
