import { answerParent } from './control.ts'
import { readSettings, type Subject } from './subjects/subject.ts'

const settings = readSettings(process.argv[2])
const { subject }: { readonly subject: Subject } = await import(`./subjects/${settings.subject}.js`)
await subject.start(settings)
answerParent()
process.send?.({ port: settings.port })
