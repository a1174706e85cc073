import type { FeatureScreenProps } from '@postern/pages'
import { Button, Form, Heading } from '@postern/pages'
import type { ReactElement } from 'react'
import type { CodesProps } from './props.ts'
import type { TextKey } from './texts.ts'

/** Shows new recovery codes, as text that can be copied, and as a file. */
export function CodesScreen({ props, texts, csrfToken }: FeatureScreenProps<CodesProps, TextKey>): ReactElement {
  const { codes, action, listUrl } = props
  const text = codes.join('\n')
  return (
    <>
      <Heading text={texts.codes} />
      <p className="lead">{codes.length > 0 ? texts.codesText : texts.codesShown}</p>
      {codes.length > 0 && (
        <>
          <pre>
            <span dir="ltr">{text}</span>
          </pre>
          <ul className="links">
            <li>
              <a className="link" href={`data:text/plain,${encodeURIComponent(text)}`} download="recovery-codes.txt">
                {texts.codesDownload}
              </a>
            </li>
          </ul>
        </>
      )}
      {action !== null && (
        <div className="stack">
          <Form action={action} fields={{ csrfToken, saved: 'yes' }}>
            <Button label={texts.codesSaved} />
          </Form>
        </div>
      )}
      {listUrl !== null && (
        <ul className="links">
          <li>
            <a className="link" href={listUrl}>
              {texts.back}
            </a>
          </li>
        </ul>
      )}
    </>
  )
}
