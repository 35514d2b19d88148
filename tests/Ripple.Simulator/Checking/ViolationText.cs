using System.Globalization;
using System.Runtime.CompilerServices;

namespace Ripple.Simulator.Checking;

/// <summary>
/// The message of a violation. What an interpolated string puts into its holes is kept as data, too: a node, a release, a publish or a wait
/// that a message names is what the violation is about.
/// </summary>
[InterpolatedStringHandler]
internal ref struct ViolationText
{
    private DefaultInterpolatedStringHandler _text;

    /// <summary>Called by the compiler.</summary>
    public ViolationText(int literalLength, int formattedCount) =>
        _text = new DefaultInterpolatedStringHandler(literalLength, formattedCount, CultureInfo.InvariantCulture);

    /// <summary>What the message names.</summary>
    public ViolationSubject Subject { get; } = new();

    /// <summary>Called by the compiler.</summary>
    public void AppendLiteral(string value) => _text.AppendLiteral(value);

    /// <summary>Called by the compiler.</summary>
    public void AppendFormatted<T>(T value)
    {
        Subject.AddValue(value);
        _text.AppendFormatted(value);
    }

    /// <summary>Called by the compiler.</summary>
    public void AppendFormatted<T>(T value, string? format)
    {
        Subject.AddValue(value);
        _text.AppendFormatted(value, format);
    }

    /// <summary>The whole message. Call once.</summary>
    public string Take() => _text.ToStringAndClear();
}
