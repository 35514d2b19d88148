namespace Ripple.Architecture.Tests.Documents;

/// <summary>One piece of code in a document: an inline span, or one line of a block.</summary>
/// <param name="Document">The document, from the root.</param>
/// <param name="Line">Its line, from 1.</param>
/// <param name="Language">The word behind the fence, empty for an indented block or a fence without one; null for an inline span.</param>
/// <param name="Text">The code.</param>
internal sealed record CodePiece(string Document, int Line, string? Language, string Text)
{
    public bool IsSpan => Language is null;
}
