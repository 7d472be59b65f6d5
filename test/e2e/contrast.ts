import type { Locator } from 'playwright-core';

/**
 * Contrast of the text of an element with its background, as WCAG 2 defines it: 1 to 21. The
 * background is the first opaque one of the element and its ancestors.
 */
export const contrastOf = (element: Locator): Promise<number> =>
  element.evaluate((target) => {
    const channelsOf = (color: string): number[] => {
      const context = document.createElement('canvas').getContext('2d')!;
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data];
    };
    const luminanceOf = (channels: number[]): number => {
      const [red, green, blue] = channels.map((channel) => {
        const share = channel / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
    };
    let background = [255, 255, 255, 255];
    for (let element: Element | null = target; element; element = element.parentElement) {
      const channels = channelsOf(getComputedStyle(element).backgroundColor);
      if (channels[3] === 255) {
        background = channels;
        break;
      }
    }
    const [darker, lighter] = [
      luminanceOf(channelsOf(getComputedStyle(target).color)),
      luminanceOf(background),
    ].sort((a, b) => a - b);
    return (lighter! + 0.05) / (darker! + 0.05);
  });
