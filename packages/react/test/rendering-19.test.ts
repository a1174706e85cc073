import t from 'tap'
import { testRendering } from './rendering.tsx'

testRendering(t, '19')
