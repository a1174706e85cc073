import type { ShownCaptcha } from '@postern/core'
import type { ReactElement } from 'react'

/** The element that the script of a captcha fills, with that script. */
export function CaptchaWidget({ script, attributes: { class: className, ...data } }: ShownCaptcha): ReactElement {
  return (
    <>
      <div className={`field captcha ${className ?? ''}`.trim()} {...data} />
      <script src={script} async defer />
    </>
  )
}
