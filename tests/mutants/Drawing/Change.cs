using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Ripple.Mutants.Drawing;

/// <summary>Text of a source file that an operator would replace.</summary>
/// <param name="Node">The part of the program that it changes.</param>
/// <param name="Span">What is replaced; it lies in one line.</param>
/// <param name="Text">What stands there then.</param>
internal readonly record struct Change(SyntaxNode Node, TextSpan Span, string Text)
{
    /// <summary>Replaces the whole node.</summary>
    public static Change Of(SyntaxNode node, string text) => new(node, node.Span, text);

    /// <summary>Replaces one word or sign of a node.</summary>
    public static Change Of(SyntaxNode node, SyntaxToken token, string text) => new(node, token.Span, text);
}
