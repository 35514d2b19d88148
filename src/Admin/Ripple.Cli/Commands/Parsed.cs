using System.CommandLine.Parsing;
using System.Globalization;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary>Parses command-line values; errors use this program's own wording.</summary>
internal static class Parsed
{
    public static ulong Release(ArgumentResult result) => ReleaseOrNull(result) ?? 0;

    public static ulong? ReleaseOrNull(ArgumentResult result)
    {
        if (result.Tokens is not [var token])
        {
            return null;
        }

        if (ulong.TryParse(token.Value, NumberStyles.None, CultureInfo.InvariantCulture, out ulong number))
        {
            return number;
        }

        result.AddError($"'{token.Value}' is not a release. Write its number, such as 12.");
        return null;
    }

    public static ReleaseNumber Number(ArgumentResult result) => NumberOrNull(result) ?? default;

    /// <summary>A release with or without its generation.</summary>
    public static ReleaseNumber? NumberOrNull(ArgumentResult result)
    {
        if (result.Tokens is not [var token])
        {
            return null;
        }

        if (ReleaseNumber.TryParse(token.Value, out ReleaseNumber number))
        {
            return number;
        }

        result.AddError($"'{token.Value}' is not a release. Write its number, such as 12, or its generation too, such as 2/12.");
        return null;
    }

    /// <summary>A whole number starting at 1.</summary>
    public static Func<ArgumentResult, int> Count(string name, int max, string unit) => result =>
    {
        if (result.Tokens is [var token]
            && int.TryParse(token.Value, NumberStyles.None, CultureInfo.InvariantCulture, out int number)
            && number >= 1
            && number <= max)
        {
            return number;
        }

        result.AddError($"{name} takes 1 to {max} {unit}.");
        return 1;
    };

    public static Guid? Guid(ArgumentResult result)
    {
        if (result.Tokens is [var token] && System.Guid.TryParse(token.Value, out Guid id))
        {
            return id;
        }

        result.AddError("--publish-id takes a GUID, such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301.");
        return null;
    }

    public static Role Role(ArgumentResult result) => Word(
        result, ("node", Admin.Contracts.Role.Node), ("publisher", Admin.Contracts.Role.Publisher), ("admin", Admin.Contracts.Role.Admin));

    public static OutputFormat Format(ArgumentResult result) => Word(result, ("text", OutputFormat.Text), ("json", OutputFormat.Json));

    private static T Word<T>(ArgumentResult result, params ReadOnlySpan<(string Name, T Value)> words)
    {
        string given = result.Tokens[0].Value;
        var names = new List<string>();
        foreach ((string name, T value) in words)
        {
            if (name.Equals(given, StringComparison.OrdinalIgnoreCase))
            {
                return value;
            }

            names.Add(name);
        }

        result.AddError($"'{given}' is none of {string.Join(", ", names)}.");
        return words[0].Value;
    }
}
