import { LinkButton } from '@postern/pages'
import type { ReactElement } from 'react'
import { ButtonForm } from '../button-form.tsx'
import { CopyButton } from './copy-button.tsx'
import { getFileName } from './file-name.ts'
import type { CodesProps } from './props.ts'
import { StepHeading } from './step-heading.tsx'
import type { ScreenProps, Texts } from './texts.ts'

interface CodesBoxProps {
  readonly codes: readonly string[]
  readonly siteName: string
  readonly texts: Texts
}

/** The codes as text, with what saves them. The link needs no script, and no request: the server shows them once. */
function CodesBox({ codes, siteName, texts }: CodesBoxProps): ReactElement {
  const text = codes.join('\n')
  return (
    <>
      <pre className="box codes">
        <span dir="ltr">{text}</span>
      </pre>
      <ul className="links">
        <li>
          <a
            className="link"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download={getFileName(siteName)}
          >
            {texts.codesDownload}
          </a>
        </li>
        <li>
          <CopyButton text={text} texts={texts} />
        </li>
        <li>
          <button type="button" className="link" hidden={true} data-print={true}>
            {texts.codesPrint}
          </button>
        </li>
      </ul>
    </>
  )
}

/** Shows new recovery codes, as text that can be copied, and as a file. */
export function CodesScreen({ props, texts, csrfToken, context }: ScreenProps<CodesProps>): ReactElement {
  const { codes, action, listUrl, isEnrollment } = props
  const areShown = codes.length > 0
  const label = areShown ? texts.codesSaved : texts.continue
  return (
    <>
      <StepHeading step={isEnrollment ? 3 : null} text={texts.codes} texts={texts} />
      <p className="lead">{areShown ? texts.codesText : texts.codesShown}</p>
      {areShown && <CodesBox codes={codes} siteName={context.siteName} texts={texts} />}
      <div className="stack">
        {action !== null && <ButtonForm action={action} fields={{ csrfToken, saved: 'yes' }} label={label} />}
        {listUrl !== null && <LinkButton label={label} href={listUrl} />}
      </div>
    </>
  )
}
