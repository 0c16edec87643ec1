import { expect, test } from 'vitest';
import { maxAnnotations } from '../../../src/core/model/annotation.ts';
import { annotationList } from '../../../src/core/model/shapes/annotation-shape.ts';

const note = { id: 'a', seq: 1, text: 'Good', at: 1 };

test('a file has no more annotations than a session may have', () => {
  const most = Array.from({ length: maxAnnotations }, () => note);
  expect(annotationList(most, 'annotations')).toBeUndefined();
  expect(annotationList([...most, note], 'annotations')).toEqual({
    field: 'annotations',
    reason: `has more than ${maxAnnotations} annotations`,
  });
  expect(annotationList('none', 'annotations')).toMatchObject({ field: 'annotations' });
});
