using System.Globalization;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Gms.Publishing;

/// <summary>
/// The rules for the texts of a new release. Stricter than <see cref="ReleaseNames"/>, which must accept every release there is: whoever
/// looks at a key or a note must see what it is. Null when the text is valid, otherwise the error and what to do about it.
/// </summary>
internal static class PublishText
{
    /// <summary>Checks a key that gets a value. One that is removed may be what was accepted before.</summary>
    public static string? CheckKey(string key) => ReleaseNames.CheckKey(key) ?? Say("key", ShownText.FindHiddenInName(key));

    /// <summary>Checks a note.</summary>
    public static string? CheckNote(string note) =>
        ReleaseNames.CheckNote(note) ?? Say("note", ShownText.FindHidden(note, allowsLines: true));

    private static string? Say(string what, (int Index, int Value)? hidden) => hidden is not { } found
        ? null
        : string.Create(
            CultureInfo.InvariantCulture,
            $"The {what} has a character that is not shown (U+{found.Value:X4}) at position {found.Index + 1}. Remove it.");
}
