using System.Collections;
using System.Management.Automation;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>
/// What comes through the pipeline, an object or a table, by the names of its properties in any case. Read here and not by PowerShell's
/// binder, which passes over an item that it cannot bind: of what was meant to be one release, the rest would be published.
/// </summary>
/// <param name="item">The item; null if there is none.</param>
internal sealed class PublishItem(PSObject? item)
{
    /// <summary>The value of the first of these properties that has one; null if none has.</summary>
    /// <exception cref="CmdletException">Reading it failed.</exception>
    public object? Get(params ReadOnlySpan<string> names)
    {
        foreach (string name in names)
        {
            if (Unwrap(Read(name)) is { } value)
            {
                return value;
            }
        }

        return null;
    }

    /// <summary>The same as text; null if there is none or it is empty.</summary>
    /// <exception cref="CmdletException">It is several things, which are no name.</exception>
    public string? GetText(params ReadOnlySpan<string> names) => Get(names) is { } value ? Text(value, names[0]) : null;

    /// <summary>A name that a parameter gives: text, or a script block that makes it of the item.</summary>
    /// <param name="given">The parameter; null if it is not given.</param>
    /// <param name="parameter">Its name, for errors.</param>
    /// <exception cref="CmdletException">The block failed, or it is no name.</exception>
    public string? Name(object? given, string parameter)
    {
        if (Unwrap(given) is not ScriptBlock block)
        {
            return Unwrap(given) is { } value ? Text(value, parameter) : null;
        }

        try
        {
            return block.InvokeWithContext(null, [new PSVariable("_", item)], []) is [{ } only]
                ? Text(only.BaseObject, parameter)
                : throw new CmdletException(ErrorCodes.InvalidValue, $"The block of -{parameter} makes no single name of '{item}'.");
        }
        catch (RuntimeException e)
        {
            throw new CmdletException(ErrorCodes.InvalidValue, $"The block of -{parameter} failed for '{item}': {e.Message}", e);
        }
    }

    /// <summary>Whether a property says yes; false if there is none.</summary>
    /// <exception cref="CmdletException">It says neither.</exception>
    public bool IsTrue(string name) => Get(name) switch
    {
        null or string { Length: 0 } => false,
        bool truth => truth,
        SwitchParameter given => given.IsPresent,
        string text when bool.TryParse(text, out bool truth) => truth,
        var other => throw new CmdletException(ErrorCodes.InvalidValue, $"{name} of '{item}' is '{other}'. Give $true or $false."),
    };

    private static string? Text(object value, string what) => value switch
    {
        string { Length: 0 } => null,
        string text => text,
        IEnumerable or PSObject => throw new CmdletException(
            ErrorCodes.InvalidValue, $"{what} is a {value.GetType().Name} and not one text. Give one name for each item."),
        _ => value.ToString(),
    };

    private object? Read(string name)
    {
        if (item?.BaseObject is IDictionary table)
        {
            return table.Keys.OfType<string>().FirstOrDefault(k => k.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } key
                ? table[key]
                : null;
        }

        try
        {
            return item?.Properties[name]?.Value;
        }
        catch (RuntimeException e)
        {
            throw new CmdletException(ErrorCodes.InvalidValue, $"{name} of '{item}' cannot be read: {e.Message}", e);
        }
    }

    /// <summary>The object itself; an object made of properties alone stays as it is.</summary>
    private static object? Unwrap(object? value) =>
        value is PSObject { BaseObject: not PSCustomObject } wrapped ? wrapped.BaseObject : value;
}
