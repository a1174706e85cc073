import type { ReactElement } from 'react'
import { ButtonForm } from '../../button-form.tsx'
import { AccountFrame } from '../account-frame.tsx'
import type { ScreenProps } from '../texts.ts'
import type { DataProps } from './props.ts'

/** Downloads what is stored about the user. */
export function DataScreen({ props, texts, csrfToken }: ScreenProps<DataProps>): ReactElement {
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
