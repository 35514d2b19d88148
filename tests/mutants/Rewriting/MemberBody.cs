using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Ripple.Mutants.Rewriting;

/// <summary>
/// The body of the method, accessor or operator that a line belongs to. A switch stands around whole bodies and not around single
/// expressions: names that a condition declares, what is assigned for certain, and types that depend on their target stay as they are.
/// </summary>
internal sealed class MemberBody
{
    private readonly SyntaxNode _body;

    private MemberBody(SyntaxNode member, SyntaxNode body)
    {
        Member = member;
        _body = body;
    }

    public SyntaxNode Member { get; }

    /// <summary>What is replaced: the block, or from the arrow to the semicolon.</summary>
    public TextSpan Span => _body is BlockSyntax
        ? _body.Span
        : TextSpan.FromBounds(_body.SpanStart, _body.GetLastToken().GetNextToken().Span.End);

    /// <summary>The innermost body that holds all of a line; null when the line is no part of one.</summary>
    public static MemberBody? Find(SyntaxTree tree, int lineIndex)
    {
        SourceText text = tree.GetText();
        TextLine line = text.Lines[lineIndex];
        string content = line.ToString();
        int start = line.Start + content.Length - content.TrimStart().Length;
        int end = line.Start + content.TrimEnd().Length;
        SyntaxNode? node = tree.GetRoot().FindToken(Math.Max(start, end - 1)).Parent;
        for (; node is not null; node = node.Parent)
        {
            SyntaxNode? body = BodyOf(node);
            if (body is BlockSyntax block)
            {
                return block.OpenBraceToken.Span.End <= start && end <= block.CloseBraceToken.SpanStart ? new MemberBody(node, body) : null;
            }

            if (body is ArrowExpressionClauseSyntax)
            {
                return new MemberBody(node, body);
            }
        }

        return null;
    }

    /// <summary>The body as statements.</summary>
    public string Statements()
    {
        if (_body is BlockSyntax)
        {
            return _body.ToString();
        }

        ExpressionSyntax expression = ((ArrowExpressionClauseSyntax)_body).Expression;
        return expression is not ThrowExpressionSyntax && HasResult(Member)
            ? $"{{ return {expression}\n; }}"
            : $"{{ {expression}\n; }}";
    }

    /// <summary>Puts a block where the body is; properties need an accessor around it.</summary>
    public string Around(string block) =>
        Member is PropertyDeclarationSyntax or IndexerDeclarationSyntax ? $"{{ get {block} }}" : block;

    private static SyntaxNode? BodyOf(SyntaxNode node) => node switch
    {
        BaseMethodDeclarationSyntax method => (SyntaxNode?)method.Body ?? method.ExpressionBody,
        AccessorDeclarationSyntax accessor => (SyntaxNode?)accessor.Body ?? accessor.ExpressionBody,
        PropertyDeclarationSyntax property => property.ExpressionBody,
        IndexerDeclarationSyntax indexer => indexer.ExpressionBody,
        _ => null,
    };

    private static bool HasResult(SyntaxNode member) => member switch
    {
        MethodDeclarationSyntax method => !IsVoid(method),
        OperatorDeclarationSyntax or ConversionOperatorDeclarationSyntax => true,
        AccessorDeclarationSyntax accessor => accessor.IsKind(SyntaxKind.GetAccessorDeclaration),
        PropertyDeclarationSyntax or IndexerDeclarationSyntax => true,
        _ => false,
    };

    private static bool IsVoid(MethodDeclarationSyntax method) =>
        method.ReturnType is PredefinedTypeSyntax { Keyword.RawKind: (int)SyntaxKind.VoidKeyword }
        || (method.Modifiers.Any(SyntaxKind.AsyncKeyword)
            && method.ReturnType is IdentifierNameSyntax { Identifier.Text: "Task" or "ValueTask" });
}
