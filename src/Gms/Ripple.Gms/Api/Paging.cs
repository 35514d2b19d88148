using System.Globalization;
using Ripple.Admin.Contracts;

namespace Ripple.Gms.Api;

/// <summary>Pagination of lists.</summary>
internal static class Paging
{
    /// <summary>The page size: the requested one, or the default.</summary>
    /// <exception cref="ApiProblemException">The requested size is out of range.</exception>
    public static int Limit(int? asked) => asked switch
    {
        null => AdminLimits.PageItemsDefault,
        >= 1 and <= AdminLimits.PageItemsMax => asked.Value,
        _ => throw ApiProblemException.Invalid(
            string.Create(CultureInfo.InvariantCulture, $"limit is {asked}; give 1 to {AdminLimits.PageItemsMax}.")),
    };

    /// <summary>Parses a numeric cursor; null when there is none.</summary>
    /// <exception cref="ApiProblemException">The cursor is not a number.</exception>
    public static T? Number<T>(string? cursor)
        where T : struct, IParsable<T> => cursor is null
            ? null
            : T.TryParse(cursor, CultureInfo.InvariantCulture, out T number)
                ? number
                : throw ApiProblemException.Invalid($"The cursor '{cursor}' is not one of a page before. Begin without one.");

    /// <summary>The page of items after the cursor. The input must be in ordinal order of each item's text.</summary>
    public static Page<TTo> After<TFrom, TTo>(
        IEnumerable<TFrom> sorted, Func<TFrom, string> text, string? cursor, int limit, Func<TFrom, TTo> map)
    {
        TFrom[] items = [.. sorted.Where(i => cursor is null || string.CompareOrdinal(text(i), cursor) > 0).Take(limit + 1)];
        return new Page<TTo>([.. items.Take(limit).Select(map)], items.Length > limit ? text(items[limit - 1]) : null);
    }
}
